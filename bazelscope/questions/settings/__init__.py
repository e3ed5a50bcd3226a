"""The question of `settings`: every config_setting of the workspace."""
