package config

// Logins are about what servers that want OAuth give this gateway.
type Logins struct {
	Store LoginStore
}

// LoginStore is where tokens of logins are kept. The empty value is StoreAuto.
type LoginStore string

// The places.
const (
	StoreAuto    LoginStore = "auto"    // in the system's keyring where there is one, else in a file
	StoreKeyring LoginStore = "keyring" // nowhere else
	StoreFile    LoginStore = "file"
)

func (d *decoder) logins(n *node) Logins {
	var out Logins
	d.fields(n, "login", []field{
		{"store", func(n *node) { out.Store = LoginStore(d.oneOf(n, "login.store", "auto", "keyring", "file")) }},
	})
	return out
}

func init() {
	keyTable["login"] = Key{"what servers that want OAuth give this gateway", ""}
	keyTable["login.store"] = Key{"where the tokens of logins are kept: auto, in the system's keyring where there is one, else in a file of the state directory; keyring; file", "auto"}
}
