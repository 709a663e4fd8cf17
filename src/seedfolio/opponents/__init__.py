"""Who may be met: a program, original or boosted, built in or an external engine."""
