"""For all tests: what they trust is not added to the list of the user who runs them."""

import os
import tempfile

os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="seedfolio-state-")
