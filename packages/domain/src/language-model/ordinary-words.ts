/**
 * The words that a language model may add to a letter. A text with any other word that isn't in the letter is never offered: no names,
 * numbers, days, places, threats or promises, and no words about paying, accounts, links or passwords. Letters that need such a word
 * already contain it.
 */

const ORDINARY_WORD_LIST = `
a able accordingly add added additional again ahead all allow alone along already also although always am an and another answer any anyone
anything apologies apologise appears apply appreciate appreciated are arrange as ask aside assist assistance at attention available aware
away back based be became because become been begin being best better bit both brief briefly bring but by call came can care careful
carefully case cases cause certain certainly chance change check clarify clear clearly close come comes comfortable concern concerns confirm
confirmation connection consider contact continue convenience convenient copy correct could course cover current currently dear deal decide
detail details did different directly discuss do does doing done down each ease easier easily easy either else email end ensure enough even
ever every everyone everything exact exactly expect expected explain fact far feel few file find fine follow following for forward found
fresh friendly full fully further gave general get getting give given glad go goes going gone good got grateful great greetings had handle
happen happened happy has have having hear hello help helpful here hi hold hope how however i if important in include included including
indeed inform information instead into is issue it item its itself just keep keeping kept kind kindly know known large last latest leave
left let letter letting like likely list little look looking lot made main make making manage many matter matters mean means meant meet
mention mentioned message might missing moment move much my name near need needed needs new nice note notice noticed now of off often okay
on onto open opportunity or order other others otherwise our ours out outline overview own part particular people perhaps person place plan
please pleased point points position possible possibly prefer prepare prepared present pleasure problem proceed process provide put question
questions quick quickly quite raise rather reach read ready really reason reasons recent recently record records refer reference regard
regarding regards relate related remain remaining remind reminder reminding repeat reply request requested require required respond response
rest result return returned right said same saw say see seem seems seen send sense sent separate set several short shortly should show shown
simple simply situation smooth smoothly so some someone something soon sort speak start started state status stay step steps still
straightforward subject submit such suggest suit suitable summary support sure take taken taking talk tell than thank thanks that the their
them themselves then there therefore these they thing things think this those though thought through to together too touch toward
towards tried try trying turn understand understood upcoming update updated us use used useful usual very view want wanted was way ways we
welcome well went were what when where whether which while who whole whose why will wish with wonder wondering word work working would write
writing written wrote yes yet you your yours yourself sincerely faithfully respectfully warm warmly wishes evening morning afternoon
feedback don't doesn't didn't isn't aren't wasn't weren't won't wouldn't can't couldn't shouldn't haven't hasn't hadn't not no none nothing
never neither nor without unless cannot except i'm i'd i'll i've we're we'd we'll we've you're you'd you'll you've it's that's there's
here's what's let's they're they've they'll before after since until within from about around over under more less most least only up past
between above below almost nearly
`;

const ORDINARY_WORDS: ReadonlySet<string> = new Set(ORDINARY_WORD_LIST.trim().split(/\s+/));

/** Endings of the same word: “asked” becomes “ask”, “noticing” becomes “notice”, “replies” becomes “reply”. */
const ENDINGS: readonly (readonly [ending: string, replaced: string])[] = [
  ['s', ''],
  ['es', ''],
  ['ies', 'y'],
  ['ed', ''],
  ['d', ''],
  ['ied', 'y'],
  ['ing', ''],
  ['ing', 'e'],
];
const MIN_STEM = 3;

/** Returns true if a model may add this word. The word is in lower case, with a straight apostrophe. */
export function isOrdinaryWord(word: string): boolean {
  if (ORDINARY_WORDS.has(word)) return true;
  return ENDINGS.some(([ending, replacement]) => {
    if (!word.endsWith(ending) || word.length - ending.length < MIN_STEM) return false;
    return ORDINARY_WORDS.has(word.slice(0, -ending.length) + replacement);
  });
}

/** Words that reverse a sentence's meaning. A rewording must have exactly the same ones as the letter. */
const NEGATION_PATTERN = /^(?:not|no|none|nothing|never|neither|nor|without|unless|cannot|except|hardly|.+n't)$/;
export const isNegation = (word: string): boolean => NEGATION_PATTERN.test(word);

const QUALIFIERS: ReadonlySet<string> = new Set(
  `before after since until within from about around over under more less most least only up past between above below almost nearly minus plus`.split(
    ' ',
  ),
);
/** Returns true for words that change the meaning of a figure or date: “by 7 May” and “after 7 May”. */
export const isQualifier = (word: string): boolean => QUALIFIERS.has(word);
