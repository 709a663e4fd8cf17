"""How to talk to a process: GTP, UCI, OpenSpiel."""
