"""The page: play, and look into studies, in a browser.

To add a page: a function of a `Visit` that returns a response, a template, and a line in `ROUTES`
of its module; `application.py` names the modules.
"""
