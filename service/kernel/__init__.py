"""The ground floor of all rooms: time, ids, encryption, signatures, zones, the wake-up call."""
