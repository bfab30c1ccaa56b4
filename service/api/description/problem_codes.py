"""Every `code` of a problem. A test compares it with the source, and says how it is written again."""

from typing import Final

CODES: Final = tuple(
    """
    accepts-self accepts-without-keep address-has-account already-answered already-bid already-invited
    already-locked already-paused already-placed already-seated already-shown already-started analysis-running
    another-epoch assign-duplicate assign-incomplete assign-self avoids-oneself bad-action bad-bots bad-choice
    bad-clock bad-code bad-count bad-cursor bad-draw bad-duration bad-extension bad-gateway bad-idempotency-key
    bad-if-match bad-json bad-leave bad-moment bad-nonce bad-note bad-option bad-orders bad-pause bad-place
    bad-push-address bad-push-keys bad-range bad-request bad-seats bad-strength bad-syntax bad-text bad-under
    bad-version bad-webhook-url bad-zoning-choice bid-too-low blocked-by-you bonus-mandatory bot-seat bot-thinks
    campaign-mandatory chip-supply-empty code-missing colour-not-in-ward colour-twice conflict cube-not-in-bag
    cube-not-in-garden cube-not-in-ward delivery-not-kept delivery-waits double-not-allowed empty-seat
    erasure-not-confirmed forbidden game-halted game-not-over game-over game-running gone idempotency-key-reused
    idle-condition idle-reserve inactive-ward insufficient-scope internal-server-error keep-twice land-not-available
    land-not-empty land-not-in-deck land-not-owned last-cube last-election leave-overlaps leave-too-late line-twice
    lock-limit locked-ward mailbox-is-local met-another method-not-allowed more-scopes must-place-first
    must-place-two name-looks-alike needs-consent no-analysis no-analysis-running no-bid-due no-boss-left no-bot
    no-host no-orders no-own-boss no-player no-proposal no-room no-statistics no-such-chart no-such-delivery
    no-such-device no-such-game no-such-log no-such-message no-such-player no-such-ruleset no-such-seat
    no-such-table no-such-token no-such-version no-such-webhook no-target-boss nobody-asked nobody-else
    not-a-building not-a-high-bidder not-acceptable not-adjacent not-asked not-confirmed not-enough-chips
    not-enough-influence not-enough-money not-found not-host not-implemented not-in-hand not-open-to-you
    not-our-form not-paused not-seated not-shown not-started not-your-analysis not-your-turn nothing-played
    nothing-to-come nothing-to-undo office-not-held office-taken office-twice office-used own-proposal own-seat
    permit-not-revealed player-resigned player-twice precondition-failed precondition-required proposal-open
    push-off request-entity-too-large request-timeout request-uri-too-long return-forbidden return-required
    round-over seal-opened sealed search-forbidden seat-taken seat-vacant service-unavailable several-rounds
    slander-self slander-too-early slander-used stale strange-key suspended table-full talk-over too-busy too-deep
    too-few-players too-many-at-once too-many-avoided too-many-bot-tables too-many-devices too-many-guests
    too-many-invitations too-many-languages too-many-lines too-many-notes too-many-open-tables too-many-passkeys
    too-many-replays too-many-requests too-many-tests too-many-waiting too-many-webhooks too-much-effort
    too-much-leave too-new triple-not-allowed unauthorized unavailable unforeseen unknown-colour unknown-land
    unknown-language unknown-office unknown-option unknown-permit unknown-player unknown-query unknown-ruleset
    unknown-term unknown-ward unprocessable-entity unsigned unsupported-media-type ward-twice webhook-exists
    webhook-is-off webhooks-off wrong-bonus wrong-phase wrong-term wrong-ward
""".split()
)
