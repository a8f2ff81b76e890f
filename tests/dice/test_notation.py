"""The notation: what is read, how it is printed, and what is refused where."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.dice.errors import NotationError
from bot.dice.expressions import MAX_TEXT, Binary, Expression, Number, Operator, Tagged
from bot.dice.modifiers import Comparison, Condition, Faces, Keep, KeepKind, Success
from bot.dice.notation import comment, parse
from bot.dice.terms import Dice
from tests.support.expressions import rolls


def read(text: str) -> Expression | NotationError:
    """The roll, or the error that the text is refused with."""
    try:
        return parse(text)
    except NotationError as refused:
        return refused


def refusal(text: str) -> NotationError:
    """The error that a text is refused with."""
    outcome = read(text)
    assert isinstance(outcome, NotationError)
    return outcome


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("2d6+3", "2d6+3"),
        ("d20", "1d20"),
        (" 2 D 6 +\t3 ", "2d6+3"),
        ("2d6\u00a0+ 3", "2d6+3"),
        ("4d6kh3", "4d6kh3"),
        ("4d6K3", "4d6kh3"),
        ("4d6k", "4d6kh1"),
        ("4d6dl", "4d6dl1"),
        ("4D6DH2", "4d6dh2"),
        ("2d20kl1", "2d20kl1"),
        ("d%", "1d100"),
        ("4df", "4dF"),
        ("4dFro-1>=0", "4dFro-1>=0"),
        ("8d6!", "8d6!"),
        ("2d6ro<2", "2d6ro<2"),
        ("2d6 ro=1", "2d6ro1"),
        ("2d6ro>=5", "2d6ro>=5"),
        ("5d10>=7", "5d10>=7"),
        ("5d10! =7", "5d10! =7"),
        ("4d6ro1!kh3>=5", "4d6ro1!kh3>=5"),
        ("6#4d6kh3", "6#4d6kh3"),
        ("1#d6", "1d6"),
        ("((2d6))", "2d6"),
        ("(2d6+3)*2", "(2d6+3)*2"),
        ("2d6-(3-1)", "2d6-(3-1)"),
        ("(2d6-3)-1", "2d6-3-1"),
        ("2*(d6//3)", "2*(1d6//3)"),
        ("-d6*2", "-1d6*2"),
        ("-(d6*2)", "-(1d6*2)"),
        ("d6--3", "1d6--3"),
        ("2d6[Fire]+d4 [ cold   iron ]", "2d6[Fire]+1d4[cold iron]"),
        ("d6+3 [Kälte-2's]", "1d6+3[Kälte-2's]"),
        ("d6[Ka\u0308lte]", "1d6[Kälte]"),
        ("(d6+1)[a]", "(1d6+1)[a]"),
        ("(d6[a])[b]", "(1d6[a])[b]"),
        ("-(d6)[a]", "-1d6[a]"),
        ("adv", "2d20kh1"),
        ("Dis-1", "2d20kl1-1"),
        ("adv+5", "2d20kh1+5"),
        ("d20adv", "2d20kh1"),
        ("1d12 dis+5", "2d12kl1+5"),
        ("d20ro1 adv>=15", "2d20ro1kh1>=15"),
        ("1d20+5 adv", "2d20kh1+5"),
        ("1d20 + 5 advantage", "2d20kh1+5"),
        ("5+d20ro1 Disadv", "5+2d20ro1kl1"),
        ("d4+d20+1 dis", "1d4+2d20kl1+1"),
        ("2d6+d20 dis", "2d6+2d20kl1"),
        ("d20+5>=15", "(1d20+5)>=15"),
        ("(2d6)>7", "(2d6)>7"),
        ("d20+5 adv>=15", "(2d20kh1+5)>=15"),
        ("((2d6)>7)*2+1", "((2d6)>7)*2+1"),
        ("((2d6)>7)[hit]", "((2d6)>7)[hit]"),
        ("-((2d6)>7)", "-((2d6)>7)"),
        ("4d6d1+5", "4d6dl1+5"),
        ("2d6!!", "2d6!"),
        ("+1d6", "1d6"),
        ("+(d6)", "1d6"),
        ("/r 2d6", "2d6"),
        ("/roll 2d6", "2d6"),
        ("!r 2d6", "2d6"),
        ("roll 2d6", "2d6"),
        ("2d6 # fire (6d6", "2d6"),
        ("6 #d6 # fire", "6#1d6"),
        ("4d6rr<3kh3", "4d6rr<3kh3"),
        ("2d8 RR{1, 3,=5,>=7}", "2d8rr{1,3,5,>=7}"),
        ("2d6r3{<2}", "2d6r3{<2}"),
        ("2d6ro{1}", "2d6ro1"),
        ("3d6!{>=5}", "3d6!{>=5}"),
        ("3d6!{6}>4", "3d6!>4"),
        ("3d6!{5}>4", "3d6!{5}#{>4}"),
        ("3d6!P", "3d6!p"),
        ("3d6!so{>4}kh2", "3d6!os{>4}kh2"),
        ("3d6!p#{>=5}", "3d6!p#{>=5}"),
        ("3d6!pkh1>=5", "3d6!pkh1>=5"),
        ("4d6!i{<2}", "4d6!i{<2}"),
        ("2d6mi2ma5", "2d6min2max5"),
        ("2d6 max5 min2", "2d6min2max5"),
        ("4d6u", "4d6u"),
        ("4d6km2", "4d6km2"),
        ("4d6 dl1 dh1", "4d6dl1dh1"),
        ("4d6k{>3}", "4d6k{>3}"),
        ("5d6d{<3,6}", "5d6d{<3,6}"),
        ("5d10#{>=7}", "5d10>=7"),
        ("6d6#{2,4,6}", "6d6#{2,4,6}"),
        ("5d10>=7x2{10}f{1}", "5d10>=7x2{10}f{1}"),
        ("d{2,3,5,7}", "1d{2,3,5,7}"),
        ("3d{-1,1,1}", "3d{-1,1,1}"),
        ("(2+1)d6", "3d6"),
        ("2d(3+3)", "2d6"),
        ("(1d4)d6ro1", "(1d4)d6ro1"),
        ("{2d6,1d8+1}kh", "{2d6,1d8+1}kh1"),
        ("(2d6, 1d8, 4)dl1", "{2d6,1d8,4}dl1"),
        ("{2d6,2d8}", "2d6+2d8"),
        ("{2d6}", "2d6"),
        ("{4d6+3d8}k4*2", "{4d6+3d8}kh4*2"),
        ("d20+5 vs d20 dis", "1d20+5 vs 2d20kl1"),
        ("2d6 ;3#d8; d20", "2d6; 3#1d8; 1d20"),
        ("60//d6", "60//1d6"),
        ("d% % 7 + 1", "1d100%7+1"),
    ],
)
def test_what_is_read_has_one_canonical_text(text: str, canonical: str) -> None:
    """Case, blanks and needless parentheses vanish, and the canonical text is read as the same roll."""
    expression = parse(text)

    assert str(expression) == canonical
    assert parse(canonical) == expression


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2d6 # fire ", "fire"),
        ("6# 2d6 #fire # cold", "fire # cold"),
        ("6 #2d6", ""),
        ("2d6#fire", ""),
        ("2d6 #", ""),
    ],
)
def test_a_comment_stands_behind_a_blank(text: str, said: str) -> None:
    """A # behind a blank begins a comment, unless nothing but digits stands before it."""
    assert comment(text) == said


def test_the_parts_are_values() -> None:
    """An expression is read into plain values, left to right, products before sums."""
    term = Dice(
        4,
        6,
        keep=Keep(KeepKind.KEEP_HIGHEST, 3),
        success=Success(Faces((Condition(Comparison.AT_LEAST, 5),))),
    )
    product = Binary(Operator.TIMES, Number(2), Tagged(term, "fire"))

    assert parse("2#1+2*4d6kh3>=5[fire]") == Expression(Binary(Operator.PLUS, Number(1), product), 2)


@given(rolls())
def test_printing_and_reading_are_inverse(expression: Expression) -> None:
    """Any roll within the limits prints as a text that reads back as the same roll."""
    assert parse(str(expression)) == expression


@pytest.mark.parametrize(
    ("text", "column", "suggestion"),
    [
        ("2d6 + 3x", 8, None),
        ("2w6", 2, "2d6"),
        ("2\u043a6", 2, "2d6"),
        ("2d6\u00d72", 4, "2d6*2"),
        ("2d6 \u2013 1", 5, "2d6-1"),
        ("5d10\u22657", 5, "5d10>=7"),
        ("5d10=>7", 6, "5d10>=7"),
        ("6x4d6kh3", 2, "6#4d6kh3"),
        ("6 x d6", 3, None),
        ("2d10 exploding", 6, "2d10!"),
        ("4d6 drop lowest", 5, "4d6dl1"),
        ("4d6 keep the 3 highest + 1", 5, "4d6kh3+1"),
        ("2w6 fire damage # cold", 2, "2d6[fire damage] # cold"),
        ("(2d6+1", 7, "2d6+1"),
        ("2d6[fire", 4, "2d6[fire]"),
        ("2w6 # fire", 2, "2d6 # fire"),
        ("2d6kb1", 4, None),
        ("2d6x2", 4, None),
        ("6\u00d74d6", 2, None),
        ("2d6/2", 4, None),
        ("2d6!=5", 4, None),
        ("5d10>=7ro1", 8, None),
        ("2d20adv", 2, None),
        ("2d6 3d8", 5, None),
        ("2d6 3", 5, None),
        ("6d10e10", 5, None),
        ("d20+str", 5, None),
        ("d20 up", 5, None),
        ("2d6 rerolling ones", 5, None),
        ("2d6 ! fire", 7, None),
        ("+d20", 1, None),
        ("2d6)", 4, None),
        ("2d", 3, None),
        ("2d6+", 5, None),
        ("2d6+ # fire", 5, None),
        ("d6 + 1,000", 7, None),
        ("5", 1, None),
        ("2d6 @everyone", 5, None),
        ("", 1, None),
        (" \t", 1, None),
        ("# fire", 1, None),
        ("two dice", 1, None),
    ],
)
def test_a_slip_is_named_by_its_column_and_repaired_where_nothing_is_in_doubt(
    text: str, column: int, suggestion: str | None
) -> None:
    """What can't be read is refused at its column; only a slip that leaves one meaning has a suggestion."""
    refused = refusal(text)

    # What other programs mean by it is not a slip.
    read = next(
        (reading.text for reading in refused.readings if not reading.meaning and not reading.programs), None
    )
    assert (refused.column, read) == (column, suggestion)


_BANG = "Behind '!p' a target could be for exploding or for counting."
_BRACES = "A target behind { } is one for each die in Roll20 and for the total elsewhere."
_TARGET = "a target for each die, and"


@pytest.mark.parametrize(
    ("text", "column", "sentence"),
    [
        ("2d6 + 3x", 8, "I can't read 'x'."),
        ("2d6\x00", 4, "I can't read 'U+0000'."),
        ("2d6+", 5, "Something is missing after `2d6+`, such as `2d6+6`."),
        ("5+5", 1, "That has no dice. Dice look like `2d6+3`."),
        ("1+0d6", 3, "A term needs at least one die."),
        ("1+101d6", 3, "At most 100 dice in one term."),
        ("999999d999999", 1, "At most 100 dice in one term."),
        ("2d0", 1, "A die needs at least one side."),
        ("1d1000001", 1, "A die has at most 1,000,000 sides."),
        ("2d1!", 1, "A die with one side would always explode."),
        ("4d6kh0", 1, "'kh0' needs a number from 1 on."),
        ("4d6kh5", 1, "'kh5' is too many for 4 dice."),
        ("4d6dl4", 1, "'dl4' is too many for 4 dice."),
        ("3d6adv", 2, "adv and dis go with a single die, such as d20."),
        ("d6+1000001", 4, "A number is at most 1,000,000."),
        ("2d6d", 4, "'d' needs to know how many dice it means, as in `4d6d1`."),
        ("20-d20+1 adv", 10, "'adv' goes with exactly one d20, which adds to the total."),
        ("2d20+1 adv", 8, "'adv' goes with exactly one d20, which adds to the total."),
        ("d4+1 dis", 6, "'dis' goes with exactly one d20, which adds to the total."),
        ("2d6rr<7", 1, "'rr<7' would never end: every face is thrown again."),
        ("d20rr<21", 1, "'rr<21' would never end: every face is thrown again."),
        ("d6!{>0}", 1, "'!{>0}' goes on and on: at most half of the faces may explode again."),
        ("5d4u", 1, "5 dice can't all show another of 4 faces."),
        ("d6min2!", 1, "A die has either limits or explosions: which of them comes first?"),
        ("d6min4max2", 3, "'min4' is more than 'max2'."),
        ("d6min1min2", 7, "'min' is there twice."),
        ("2d6r11{1}", 4, "A die is rerolled 1 to 10 times, or for ever: rr."),
        ("4d6kl1dh1", 7, "Only dl and dh go together, as in dl1dh1."),
        ("4d6dl2dh2", 1, "'dl2dh2' is too many for 4 dice."),
        ("2d6!p>5", 4, f"{_BANG} Write !p{{>5}} or !p#{{>5}}."),
        ("2d6!i", 4, "'!i' goes with its faces alone, as in 4d6!i{1}."),
        ("{3d20+5}>21", 1, f"{_BRACES} Write it behind the dice, or behind ( )."),
        ("{4d6-1d4}k2", 1, "Only dice, with + between them, can be kept together."),
        ("(d4-1)d6", 7, "The number of dice is thrown: it must be 1 or more, and none can be kept."),
        ("d6;" * 10 + "d6", 1, "At most 10 rolls in one line."),
        ("2d6>7", 1, f"'>7' is {_TARGET} no d6 meets it. For the total, write (2d6)>7."),
        (
            "4d6kh3=0",
            1,
            "'=0' is a target for each die, and no d6 meets it. For the total, write (4d6kh3)=0.",
        ),
        (
            "5d10!>=1",
            1,
            "'>=1' is a target for each die, and every d10 meets it. For the total, write (5d10!)>=1.",
        ),
        ("d6>=1000001", 5, "A number is at most 1,000,000."),
        ("d6+" + "9" * 100, 4, "A number is at most 1,000,000."),
        ("d6//0", 3, "I can't divide by zero."),
        ("d6%0", 3, "I can't divide by zero."),
        ("(d6-2)%3", 7, "A remainder needs numbers that are never below zero."),
        ("d6//(2-2)", 3, "I can't divide by zero."),
        ("d6//(d6-3)", 3, "I can't divide by what may be zero."),
        ("d6//(0*d6)", 3, "I can't divide by zero."),
        ("0#d6", 1, "A roll is repeated 1 to 20 times."),
        ("21#d6", 1, "A roll is repeated 1 to 20 times."),
        ("6#100d6", 1, "At most 500 dice in one roll, not 600."),
        ("100d6" + "+100d6" * 5, 1, "At most 500 dice in one roll, not 600."),
        ("d6*1000000*1000000", 1, "The result could pass 1,000,000,000,000."),
        ("(d6-d6)*-1000000*1000000", 1, "The result could pass 1,000,000,000,000."),
        ("d6[]", 3, "A tag needs a word in it, such as [fire]."),
        ("d6[@here]", 3, "A tag is made of letters, digits, blanks, - and '."),
        ("d6[" + "a" * 31 + "]", 3, "A tag has at most 30 characters."),
        ("(" * 21 + "d6" + ")" * 21, 21, "At most 20 brackets inside one another."),
        ("d6" + " " * 199, 201, "At most 200 characters, not 201."),
        ("d6+" * 66 + "d6", 1, "Written out in full, that is longer than 200 characters."),
        ("(" * 5_000, 201, "At most 200 characters, not 5,000."),
        ("d20 vs", 7, "Something is missing after `d20 vs`, such as `d20 vs 15`."),
        ("2d6!>", 6, "Something is missing after `2d6!>`, such as `2d6!>5`."),
        ("d6 + d", 7, "Something is missing after `d6 + d`, such as `d6 + d6`."),
        ("3#", 3, "Something is missing after `3#`, such as `3# d20`."),
        ("d{", 3, "Something is missing after `d{`, such as `d{1, 2}`."),
        ("", 1, "There is nothing to roll. Type dice such as `d20`."),
        ("hello there", 1, "I don't know `hello there`."),
        ("٣d6", 1, "I can't read '٣d6'."),
        ("4d6\u212a1", 4, "I can't read '\u212a1'."),
    ],
)
def test_a_refusal_says_what_is_wrong(text: str, column: int, sentence: str) -> None:
    """Each limit and each unreadable sign has its sentence and its column."""
    refused = refusal(text)

    assert (str(refused), refused.column) == (sentence, column)


@pytest.mark.parametrize(
    "text",
    ["100d1000000", "5#100d6", "20#25d6", "4d6kh4", "4d6dl3", "(" * 20 + "d6" + ")" * 20, "d6" + " " * 198],
)
def test_the_limits_themselves_are_allowed(text: str) -> None:
    """What just keeps a limit is read."""
    assert str(parse(text))


def test_a_roll_can_be_repeated_more() -> None:
    """Times multiplies, within the limits."""
    assert str(parse("2#d6").times(3)) == "6#1d6"
    assert parse("d6").times(1) == parse("d6")
    with pytest.raises(NotationError):
        parse("6#4d6").times(4)


_SIGNS = "d d6 2d6 4 kh3 kl ro1 ro< ! >= 5 + - * / // ( ) [fire] [ ] adv dis # % F x , w = @ ` ٣"
_NEAR = st.lists(st.sampled_from([*_SIGNS.split(), " ", "\x00"]), max_size=12).map("".join)


@settings(max_examples=300, deadline=None)
@given(_NEAR | st.text() | st.text("0123456789d()+-*/", max_size=210))
@example("(" * 5_000)
@example("d" * 200)
@example("9" * 200 + "d6")
@example("1" * 5_000)
@example("\ud800d6")
@example("d6\n+ 1\n@")
@example("2d6[" * 50)
def test_any_text_is_read_or_refused_with_a_readable_suggestion(typed: str) -> None:
    """Nothing but a NotationError comes out of any text; a suggestion is canonical and can be read."""
    outcome = read(typed)

    if isinstance(outcome, Expression):
        assert parse(str(outcome)) == outcome
    else:
        assert 1 <= outcome.column <= min(len(typed), MAX_TEXT) + 1
        assert str(outcome).endswith(".")
        for reading in outcome.readings:
            meant, _, said = reading.text.partition(" # ")
            assert str(parse(reading.text)) == str(parse(meant)) == meant
            assert comment(reading.text) == said
