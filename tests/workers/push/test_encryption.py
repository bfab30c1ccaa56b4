"""Push messages are readable by one browser: the example of RFC 8291, and a second implementation of its text."""

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import given, settings
from hypothesis import strategies as st

from service.kernel.encryption import Sealer
from service.kernel.vapid import Vapid, from_text, to_text
from tests.workers.push.browser_keys import BrowserKeys, authorized, unb64
from workers.push.encryption import BLOCK, RECORD, encrypt

ORIGIN, CONTACT, NOW = "https://push.example:8443", "mailto:game@wardroom.example", 1_700_000_000


def private(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(unb64(text)), ec.SECP256R1())


BROWSER = BrowserKeys(private("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), unb64("BTBZMqHH6r4Tts7J_aSIgg"))
"""Of RFC 8291, section 5 and appendix A, as are all that follow."""
PLAIN = b"When I grow up, I want to be a watermelon"
SENDER = private("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
SALT = unb64("DGv6ra1nlYgDCS1FRnbzlw")
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_y"
    "l95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_the_example_of_rfc_8291_comes_out_to_the_byte():
    assert to_text(BROWSER.public) == (
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    )
    assert to_text(encrypt(PLAIN, BROWSER.public, BROWSER.auth, key=SENDER, salt=SALT, block=1)) == BODY


def test_the_tests_own_browser_reads_the_example():
    assert BROWSER.decrypt(unb64(BODY)) == PLAIN


@settings(max_examples=30, deadline=None)
@given(st.binary(max_size=3000).filter(lambda plain: not plain.endswith(b"\0")))
def test_what_is_encrypted_is_read_by_its_browser_and_by_no_other(plain):
    body = encrypt(plain, BROWSER.public, BROWSER.auth)
    assert BROWSER.decrypt(body) == plain
    assert (len(body) - 16 - 4 - 1 - 65 - 16) % BLOCK == 0, "its length tells nothing"
    assert len(body) <= RECORD
    with pytest.raises(InvalidTag):
        BrowserKeys(BROWSER.private).decrypt(body)
    assert encrypt(plain, BROWSER.public, BROWSER.auth) != body, "a key and a salt of its own"


def test_a_point_that_is_not_on_the_curve_is_no_key():
    with pytest.raises(ValueError, match=r"[Pp]oint|curve|[Ii]nvalid"):
        encrypt(PLAIN, BROWSER.public[:-1] + bytes([BROWSER.public[-1] ^ 1]), BROWSER.auth)


# Who calls (RFC 8292)


def test_a_call_is_signed_for_its_push_service_and_for_half_a_day():
    vapid = Vapid(Sealer(["k" * 32]))
    header = vapid.authorization(vapid.public, ORIGIN, CONTACT, NOW)
    assert authorized(header, ORIGIN, NOW) == vapid.public
    assert len(unb64(vapid.public)) == 65
    with pytest.raises(AssertionError):
        authorized(header, "https://other.example", NOW)
    with pytest.raises(AssertionError):
        authorized(header, ORIGIN, NOW + 13 * 3600)


def test_the_same_secret_makes_the_same_key_and_an_earlier_one_signs_on():
    first, rotated = Vapid(Sealer(["k" * 32])), Vapid(Sealer(["n" * 32, "k" * 32]))
    assert Vapid(Sealer(["k" * 32])).public == first.public != rotated.public
    assert authorized(rotated.authorization(first.public, ORIGIN, CONTACT, NOW), ORIGIN, NOW) == first.public
    assert not first.at_hand(rotated.public)
    with pytest.raises(KeyError):
        first.authorization(rotated.public, ORIGIN, CONTACT, NOW)


@given(st.binary(max_size=90))
def test_base64url_is_read_padded_or_not(data):
    text = to_text(data)
    assert from_text(text) == from_text(text + "=" * (-len(text) % 4)) == data


@pytest.mark.parametrize("text", ["a", "ab!c", "é", "ab\ncd", "ab cd"])
def test_what_is_no_base64url_is_refused(text):
    with pytest.raises(ValueError, match="no base64url"):
        from_text(text)
