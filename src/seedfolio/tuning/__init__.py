"""Finding better parameters of a program by games against the given program."""
