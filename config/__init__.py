"""Settings, logging, queues and schedules, read once at the edge. Imports nothing of ours."""
