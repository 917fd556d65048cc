/**
 * Words and phrases to avoid in this repository, with plain replacements. The limit is 60 entries; words with proper uses in this field
 * (floor, slice, grant, house) don't belong here.
 */
export type AvoidedWord = {
  readonly find: RegExp;
  /** `prose` is comments, documents and strings; names are split into lower-case words first. */
  readonly in: 'prose' | 'names' | 'both';
  readonly use: string;
};

const createRuleForAll = (find: RegExp, use: string): AvoidedWord => ({ find, in: 'both', use });
const createProseRule = (find: RegExp, use: string): AvoidedWord => ({ find, in: 'prose', use });
const avoidNames = (find: RegExp, use: string): AvoidedWord => ({ find, in: 'names', use });

/**
 * Fields and values of our API that contain such a word. Renaming them would break its clients. `mend` is the former name of `how_to_fix` in
 * stored rules (packages/db/src/schema/evaluated-rules.ts).
 */
export const API_WORDS: ReadonlySet<string> = new Set(['standing', 'mend', 'not judged', 'not_judged']);

export const AVOIDED_WORDS: readonly AvoidedWord[] = [
  createRuleForAll(/\banew\b/i, 'again'),
  createRuleForAll(/\bmend(s|ed|ing)?\b/i, 'fix'),
  createRuleForAll(/\bwhoever\b/i, 'anyone who, the person who'),
  // `nobody` alone is the name of a Unix user.
  createProseRule(/(?!^nobody$)(?<!`)\bnobody\b/i, 'no one, or say what there is none of ("no clients yet")'),
  avoidNames(/\bnobody\b/, 'no…, unknown…'),
  createRuleForAll(/\bmeanwhile\b/i, 'in the meantime, at the same time'),
  createRuleForAll(/\btold\b/i, 'notified, reported, given'),
  createRuleForAll(/\bstumbl(e|es|ed|ing)\b/i, 'fail unexpectedly'),
  createRuleForAll(/\b(riddle|mortal)s?\b/i, 'say plainly what it is'),
  createRuleForAll(/\blanes?\b/, 'worker'),
  createRuleForAll(/\blevers?\b/i, 'controls'),
  createRuleForAll(/\bdoors?\b/i, 'partner landing page, sign-in method'),
  createRuleForAll(/\b(judg(e|es|ed|ing)|judge?ments?)\b/i, 'validate, evaluate, assess; assessment'),
  createRuleForAll(/\bopen matters?\b/i, 'reconciliation exception'),
  createRuleForAll(/\bforget(s|ting)?\b/i, 'delete, purge, clear'),
  createRuleForAll(/\blook(s|ed)? again\b/i, 'refresh, check again'),
  createRuleForAll(/\bputs? back\b/i, 'revert, restore, return'),
  createRuleForAll(/\b(ways in|(a|the|this|each|every|another) way in(?! which))\b/i, 'sign-in method'),
  createRuleForAll(/\bcouriers?\b/i, 'sender, dispatcher'),
  createRuleForAll(/\b(patience|patiently)\b/i, 'timeout, retries'),
  createRuleForAll(/\bnothing here\b/i, 'notFound, "page not found"'),
  createProseRule(/\b(the|sandbox|seed(ed)?|whole) worlds?\b(?! wide)/i, 'seed data, sandbox data'),
  createProseRule(
    /\b(the|a|an|this|each|every|one|our|no|its|provider[’']s|HMRC[’']s|identity|bank) doubles?\b(?![- ](entry|click|quote|check|count))/i,
    'simulator',
  ),
  createProseRule(/\bin hand\b/i, 'in progress, in this batch, active'),
  createProseRule(/\bin (their|whose|his|her|your|a colleague[’']s|somebody[’']s) care\b/i, 'assigned to'),
  createProseRule(/\bgive(s|n)? into\b/i, 'assign'),
  createProseRule(/\btak(e|es|en|ing) in\b(?! account)/i, 'import, apply'),
  createProseRule(/\b(go|goes|going|went) on(?= (with|without|from|where|as|by)\b|[.,;:]|$)/i, 'continue, resume'),
  createProseRule(/\bwhat (came|comes|became|becomes) of\b/i, 'the result, the outcome'),
  createProseRule(/\bfor ever\b/i, 'forever, permanently'),
  createProseRule(/\bstands\b/i, 'is, appears, applies'),
  createProseRule(/\bstood\b/i, 'was, appeared'),
  createProseRule(/\bstands? (still|in the way|in for)\b/i, 'pause; block; replace'),
  createProseRule(/\bso many\b/i, 'give the number, "at most 24 clients"'),
  createProseRule(/\bso long\b(?! as)/i, 'give the time, "at most two seconds"'),
  createProseRule(/\b(is|are|be|was|were|been|being) asked (?!to\b|for\b)/i, 'name who asks whom'),
  createProseRule(/(?<!\bthere) is no (?!longer|more|less|one|such|way|need|match)/i, 'isn’t a…, has no…'),
  createProseRule(/\bthere is no \w+ (that|which)\b/i, 'no … (verb)'),
  createProseRule(/\b(thereof|whereof|thereby|therein|wherein|herewith)\b/i, 'its, which, so'),
  createProseRule(/\bdrawn up\b|\blaid down\b/i, 'made, defined'),
  createProseRule(/\bof which it\b/i, 'whose, that'),
  createProseRule(/\b(lets?|letting) be\b/i, 'leave unchanged'),
  createProseRule(/\bat the world\b|\bthe outside world\b/i, 'external systems'),
  createProseRule(/\brooms\b/i, 'packages, modules, layers'),
  avoidNames(/\bdoubles?\b(?! entry)/, 'simulator'),
  // `openWorldHint` is a name of the Model Context Protocol.
  avoidNames(/\bworlds?\b(?! hint)/, 'seed data'),
  avoidNames(/\brooms?\b/, 'package, module'),
  avoidNames(/\bstandings?\b/, 'status'),
  avoidNames(/\bpictures?\b/, 'view, snapshot'),
  avoidNames(/\b(lend|borrow)\b/, 'withAccessToken'),
  avoidNames(/^tell\b/, 'notify, publish, describe'),
  avoidNames(/\bnews\b/, 'notification, update'),
  avoidNames(/^most \w/, 'MAX_…'),
  avoidNames(/^longest \w/, 'MAX_…_LENGTH, MAX_…_MS'),
  avoidNames(/\b(life ms|kept days|life seconds)\b/, '…_TTL_MS, …_RETENTION_DAYS'),
  avoidNames(/\bin hand\b/, 'batch, claimed'),
  avoidNames(/\bwhy not\b/, 'reason'),
  avoidNames(/\bseats?\b/, 'slot'),
];
