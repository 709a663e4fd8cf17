"""The main job and its kin: boost, compare, plan, online; their requests and results."""
