"""What every room stands on: time, ids, encryption, signatures, zones, the wake-up call."""
