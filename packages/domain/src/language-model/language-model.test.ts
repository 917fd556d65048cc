/** Tests masking facts before text is sent, and the conditions for offering a language model's text. */
import { describe, expect, it } from 'vitest';
import { checkRewording } from './check-rewording.ts';
import { maskFacts, unmaskFacts } from './mask-facts.ts';

const KNOWN_NAMES = ['Ash Trading Ltd', 'Oakline Accountants', 'flowers', 'Smith-Jones & Co. (UK)/[x]'];
const LETTER = `Hello,

The VAT return of Ash Trading Ltd for the period to 30 September 2026 is due on 7 November 2026. We haven’t had your books yet. Please send them by Friday, so that we can file in time.

At least £1,204.50 is to be paid after that. Your reference is XA/123 456, and you can reach Priya on 020 7946 0958 or at priya@oakline.example.

Kind regards
{sender}
{practice}`;
const maskedLetter = maskFacts(LETTER, KNOWN_NAMES);
const checkAnswer = (text: string) => checkRewording(LETTER, maskedLetter, text, KNOWN_NAMES);
const listProblems = (text: string): string[] => {
  const rewordingCheck = checkAnswer(text);
  return 'rejections' in rewordingCheck ? rewordingCheck.rejections.map(({ problem }) => problem) : [];
};
const GOOD_REWORDING = maskedLetter.text
  .replace('Hello,', 'Good morning,')
  .replace(/We haven’t had your books yet\. Please send them by/, 'We haven’t seen your books so far. Could you please send them by');

describe('hiding facts', () => {
  it('removes every figure, date, name, reference, address and field, and restores them unchanged', () => {
    expect(maskedLetter.text.replace(/\[\[[A-Z]+_\d+\]\]/g, '')).not.toMatch(/[\d£@{}]|VAT|Ash|Oakline|September|Friday|Priya|XA/);
    expect(maskedLetter.text).toContain('We haven’t had your books yet. Please send them by [[DATE_');
    expect(maskedLetter.text).toContain('Kind regards\n[[FIELD_');
    expect(unmaskFacts(maskedLetter.text, maskedLetter)).toBe(LETTER);
  });

  it.each([
    ['pay within 30 days', ['30 days']],
    ['a rate of 20% or 5 per cent', ['20%', '5 per cent']],
    ['two weeks, then half', ['two weeks', 'half']],
    ['sort code 12-34-56, account 12345678', ['12-34-56', '12345678']],
    ['see bank.example/pay and https://x.example', ['bank.example/pay', 'https://x.example']],
    ['due tomorrow, or in May', ['tomorrow', 'May']],
    ['we sell flowers', ['flowers']],
    ['from smith-jones & co. (uk)/[x] to us', ['smith-jones & co. (uk)/[x]']],
    ['Companies House and the Bank of England wrote', ['Companies House', 'Bank of England']],
    ['a [[NAME_1]] of a **bold** <b>\u200b', ['[[', 'NAME', '_', '1', ']]', '**', '**', '<', '>\u200b']],
    ['платёж 日本', ['платёж', '日本']],
    ['I hope I’m clear. Thank you', []],
  ])('%s', (text, facts) => {
    const { facts: foundFacts, text: sentText } = maskFacts(text, KNOWN_NAMES);
    expect(foundFacts).toEqual(facts);
    expect(sentText.replace(/\[\[[A-Z]+_\d+\]\]/g, '')).not.toMatch(/[\d£@{}<>*_[\]]/);
    expect(unmaskFacts(sentText, maskFacts(text, KNOWN_NAMES))).toBe(text);
  });
});

describe('a model’s text', () => {
  it('is offered with every fact in place', () => {
    expect(checkAnswer(GOOD_REWORDING)).toEqual({
      text: LETTER.replace('Hello,', 'Good morning,').replace(
        'We haven’t had your books yet. Please send them by',
        'We haven’t seen your books so far. Could you please send them by',
      ),
    });
  });

  const [first = '', second = ''] = maskedLetter.placeholders;
  it.each([
    ['nothing', '', ['empty']],
    ['the same text', maskedLetter.text, ['same']],
    ['a fact left out', GOOD_REWORDING.replace(second, 'it'), ['facts']],
    ['a fact twice', GOOD_REWORDING.replace(second, `${second} ${second}`), ['facts']],
    ['two facts exchanged', GOOD_REWORDING.replace(first, '#').replace(second, first).replace('#', second), ['facts']],
    ['a placeholder that wasn’t there', `${GOOD_REWORDING} [[NAME_99]]`, ['facts']],
    ['a minus sign before a figure', GOOD_REWORDING.replace('[[NUMBER', '-[[NUMBER'), ['facts']],
    ['a digit', `${GOOD_REWORDING} 5`, ['characters']],
    ['a currency sign', `${GOOD_REWORDING} £`, ['characters']],
    ['a link', `${GOOD_REWORDING} See pay.example.`, ['characters', 'words', 'names']],
    ['markup', `**${GOOD_REWORDING}**`, ['facts', 'characters', 'names']],
    ['a hidden character', GOOD_REWORDING.replace('Good', 'Go\u200bod'), ['characters', 'words']],
    ['a spelled number', GOOD_REWORDING.replace('so far', 'for twelve days'), ['words']],
    ['a month', GOOD_REWORDING.replace('so far', 'in march'), ['words']],
    ['a name', GOOD_REWORDING.replace('Good morning,', 'Good morning Marcus,'), ['words', 'names']],
    ['a demand to pay', GOOD_REWORDING.replace('so far', 'and must transfer the money'), ['words']],
    ['a capital inside', GOOD_REWORDING.replace('Could you please', 'Could You please'), ['names']],
    ['another meaning', GOOD_REWORDING.replace('We haven’t seen', 'We have seen'), ['meaning']],
    ['another qualifier', GOOD_REWORDING.replace('At least', 'At most'), ['meaning']],
    ['a long text', `${GOOD_REWORDING} ${'and we thank you '.repeat(40)}`, ['length']],
  ])('with %s is dropped', (_case, text, expected) => {
    expect(listProblems(text)).toEqual(expected);
  });
});
