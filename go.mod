module toolcrib

go 1.26
