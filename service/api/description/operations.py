"""What programs call the operations: the table of names; and sentences that hold for many of them."""

from typing import Any, Final

Operation = dict[str, Any]

NAMES: Final = {
    "postPlayers": "signUp",
    "postTokens": "createToken",
    "getMe": "getMe",
    "patchMe": "updateMe",
    "deleteMe": "deleteMe",
    "deleteMyMute": "unmuteGame",
    "getTurns": "listTurns",
    "getMyEvents": "listMyEvents",
    "getMyTokens": "listTokens",
    "postMyTokens": "createScopedToken",
    "deleteMyTokens": "revokeAllTokens",
    "deleteMyToken": "revokeToken",
    "getPerson": "getPlayer",
    "getMyProfile": "getVisibility",
    "patchMyProfile": "updateVisibility",
    "getMyAvoided": "listAvoidedPlayers",
    "putMyAvoidedPlayer": "avoidPlayer",
    "deleteMyAvoidedPlayer": "stopAvoidingPlayer",
    "getMyLeave": "getLeave",
    "putMyLeave": "announceLeave",
    "deleteMyLeave": "cancelLeave",
    "getMyMails": "listMails",
    "getMyExport": "exportMyData",
    "getMyWebhooks": "listWebhooks",
    "postMyWebhooks": "createWebhook",
    "patchMyWebhook": "changeWebhook",
    "deleteMyWebhook": "deleteWebhook",
    "postMyWebhookSecret": "rotateWebhookSecret",
    "postMyWebhookTest": "pingWebhook",
    "getMyWebhookDeliveries": "listWebhookDeliveries",
    "postMyWebhookReplay": "replayWebhookDelivery",
    "getMyFeeds": "getFeeds",
    "postMyFeeds": "createFeeds",
    "deleteMyFeeds": "deleteFeeds",
    "getRulesets": "listRulesets",
    "getRuleset": "getRuleset",
    "getGames": "listGames",
    "postGames": "openGame",
    "getGame": "getGame",
    "postSeats": "takeSeat",
    "deleteMySeat": "leaveSeat",
    "postResignation": "resign",
    "putSeatOfBot": "seatBot",
    "deleteSeatOfBot": "removeBot",
    "postStart": "startGame",
    "getBoard": "getBoardText",
    "getBoardSvg": "getBoardSvg",
    "getBoardPng": "getBoardPng",
    "getActions": "listActions",
    "postMoves": "playMoves",
    "postBids": "placeBid",
    "postDrafts": "previewMoves",
    "getOrders": "getStandingOrders",
    "putOrders": "fileStandingOrders",
    "deleteOrders": "withdrawStandingOrders",
    "getRewind": "getRewind",
    "postRewind": "proposeRewind",
    "deleteRewind": "withdrawRewind",
    "postRewindVote": "voteOnRewind",
    "getGameClock": "getClock",
    "postClockProposals": "proposeClockChange",
    "postClockVote": "voteOnClockChange",
    "deleteClockProposal": "withdrawClockChange",
    "getMessages": "listMessages",
    "postMessages": "sendMessage",
    "deleteMessage": "deleteMessage",
    "getMyNote": "getNote",
    "putMyNote": "writeNote",
    "putTableName": "renameTable",
    "deleteMyNote": "deleteNote",
    "getNotices": "listNotices",
    "getEvents": "listEvents",
    "getAudit": "auditGame",
    "getGameCheckpoint": "getCheckpoint",
    "getBundle": "getAuditBundle",
    "getDiff": "compareVersions",
    "getStory": "getStory",
    "getGameStatistics": "getStatistics",
    "getAnalysis": "getAnalysis",
    "postAnalysis": "requestAnalysis",
    "deleteAnalysis": "cancelAnalysis",
    "getMyDevices": "listPushDevices",
    "postMyDevices": "addPushDevice",
    "deleteMyDevices": "removeAllPushDevices",
    "deleteMyDevice": "removePushDevice",
    "postMyDeviceTest": "testPushDevice",
}
"""The operationId of each view, by its method and endpoint; a view that is not named here keeps that."""


def name_operation(operation: Operation) -> None:
    """Give an operation its name, its security and a description that says how it is called."""
    operation["operationId"] = NAMES.get(operation["operationId"], operation["operationId"])
    operation.setdefault("security", [])
    own = operation.get("description", "").strip()
    operation["description"] = "\n\n".join(filter(None, [own, " ".join(_sentences(operation))]))


def parameters(operation: Operation) -> set[str]:
    """The names of an operation's own parameters."""
    return {parameter["name"] for parameter in operation.get("parameters", ())}


def _sentences(operation: Operation) -> list[str]:
    """How it is called: with or without a token, with a key, under a condition, page by page."""
    security, names = operation["security"], parameters(operation)
    found = ["Takes a token." if {} not in security else "Needs no token for what anybody may read."]
    if not security:
        found = ["Needs no token."]
    if "Idempotency-Key" in names:
        found.append("Send an `Idempotency-Key`, so that it can be repeated safely.")
    if "If-Match" in names:
        found.append("With `If-Match` it is done only if nobody has moved since.")
    if "cursor" in names:
        found.append("Answers a page; `next` is the `cursor` of the one after it, null on the last.")
    if "304" in operation["responses"]:
        found.append("Answers 304 to `If-None-Match` with the ETag of this very answer.")
    return found
