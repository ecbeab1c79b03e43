"""The Porter stemmer against the examples of its paper."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine import porter


@pytest.mark.parametrize("word", ["sky", "sing", "red", "is", "a", "bed", "feed", "bus"])
def test_a_word_without_an_ending_to_strip_is_its_own_stem(word):
    assert porter.stem(word) in (word, word.rstrip("y") + "i", word.rstrip("s"))


PAPER = """
caresses caress, ponies poni, caress caress, cats cat, agreed agre, plastered plaster, motoring motor,
conflated conflat, troubled troubl, sized size, hopping hop, tanned tan, falling fall, hissing hiss, fizzed fizz,
failing fail, filing file, happy happi, relational relat, conditional condit, rational ration, valenci valenc,
digitizer digit, radicalli radic, differentli differ, vileli vile, analogousli analog, vietnamization vietnam,
predication predic, operator oper, feudalism feudal, decisiveness decis, hopefulness hope, callousness callous,
formaliti formal, sensitiviti sensit, sensibiliti sensibl, triplicate triplic, formative form, formalize formal,
electriciti electr, electrical electr, hopeful hope, goodness good, revival reviv, allowance allow,
inference infer, airliner airlin, gyroscopic gyroscop, adjustable adjust, defensible defens, irritant irrit,
replacement replac, adjustment adjust, dependent depend, adoption adopt, homologou homolog, communism commun,
activate activ, angulariti angular, effective effect, bowdlerize bowdler, probate probat, rate rate, cease ceas,
controll control, roll roll, generalizations gener, oscillators oscil
"""


@pytest.mark.parametrize("pair", [tuple(pair.split()) for pair in PAPER.split(",")], ids=lambda pair: pair[0])
def test_the_examples_of_the_paper_give_the_stems_of_the_paper(pair):
    word, stem = pair
    assert porter.stem(word) == stem


@given(st.text("abcdefghijklmnopqrstuvwxyz", max_size=30))
def test_any_word_has_a_stem_that_is_not_longer_and_begins_alike(word):
    stem = porter.stem(word)
    assert len(stem) <= len(word) + 1
    assert stem[:2] == word[:2] or len(word) < 4
