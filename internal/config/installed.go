package config

// Installed are the entries of other clients' files that start or reach this
// gateway. Files that cannot be read have none.
func (r *Reader) Installed() []Server {
	var out []Server
	found, _ := r.find(nil, true)
	for _, f := range found {
		for _, s := range f.Servers {
			if r.pointsBack(s) {
				s.Client, s.Source = f.Client, f.File
				out = append(out, s)
			}
		}
	}
	return out
}
