/** What a link of the sidebar leads to. All in lower case. */
export interface SearchEntry {
  readonly title: string;
  readonly summary: string;
  /** Of parameters, fields, headers and statuses. */
  readonly names: readonly string[];
  readonly text: string;
}

/** What people ask for, in words of the page; a bar is between words of which one is enough. */
const synonyms: readonly (readonly [asked: RegExp, words: string])[] = [
  [/\b(json web token|jwt|bearer|session)s?\b/g, "access_token"],
  [/\b(paginat(e|ion)|paging)\b/g, "paginated|cursor"],
  [/\bnext page\b/g, "next"],
  [/\b(rate limit(s|ed|ing)?|throttl(ed|ing)|quota)\b/g, "429"],
  [/\b(not enough|out of|sold out|inventory)( stock)?\b/g, "insufficient stock"],
  [/\b(sign ?up|create account|registration)\b/g, "register account"],
  [/\b(sign ?in|login|authenticat(e|ion))\b/g, "log in"],
  [/\b(buy|checkout|purchase)\b/g, "place order"],
  [/\bcancel\b/g, "cancelled order status"],
  [/\b(optimistic lock(ing)?|lost update|concurren(t|cy))\b/g, "if-match"],
  [/\b(conditional|caching|cache)\b/g, "if-none-match"],
  [/\b(retry|retries|duplicates?)\b(?!-)/g, "idempotency-key"],
  [/\b(idempotency) key\b/g, "idempotency-key"],
  [/\b((up)?load size|too large|body size)\b/g, "413"],
  [/\b(uptime|heartbeat|monitoring)\b/g, "health"],
  [/\b(edit|modify|update)\b/g, "change"],
  [/\bremove\b/g, "delete"],
  [/\be-?mail address\b/g, "email"],
];

/** Words that say nothing about what is asked. */
const fillers = new Set("a an the how do does i to of is are what can my for with it".split(" "));

/**
 * Finds what contains every word of a query or of its synonyms, the best matches first. A word that stands
 * nowhere finds those that differ from it in one letter, which was left out, added, replaced or swapped.
 */
export function search<T extends SearchEntry>(entries: readonly T[], query: string): T[] {
  let text = query.toLowerCase();
  for (const [asked, words] of synonyms) text = text.replaceAll(asked, words);
  const all = text.split(/[^\p{L}\p{N}._/{}|-]+/u).filter(Boolean);
  const words = all.filter((word) => !fillers.has(word));
  const alternatives = (words.length > 0 ? words : all).map((word) =>
    word.split("|").flatMap((each) => spellings(each, entries)),
  );
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, alternatives) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry);
}

function spellings(word: string, entries: readonly SearchEntry[]): readonly string[] {
  if (word.length < 4 || entries.some((entry) => scoreOfWord(entry, word) > 0)) return [word];
  const vocabulary = new Set(
    entries.flatMap(({ title, summary, text }) => `${title} ${summary} ${text}`.match(/\w+/g) ?? []),
  );
  return [...vocabulary].filter((known) => isOneTypoAway(word, known));
}

function isOneTypoAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const [restA, restB] = [a.slice(at), b.slice(at)];
  const swapped = restA.charAt(1) + restA.charAt(0) + restA.slice(2);
  return [
    restA.slice(1) === restB.slice(1),
    restA === restB.slice(1),
    restA.slice(1) === restB,
    swapped === restB,
  ].includes(true);
}

function scoreOf(entry: SearchEntry, words: readonly (readonly string[])[]): number {
  const scores = words.map((spellings) => Math.max(0, ...spellings.map((word) => scoreOfWord(entry, word))));
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0);
}

/** Words count most in the link, then in its summary, as a name in its target, and anywhere there. */
function scoreOfWord({ title, summary, names, text }: SearchEntry, word: string): number {
  return (
    (title.includes(word) ? 100 : 0) +
    (summary.includes(word) ? 30 : 0) +
    (names.includes(word) ? 10 : 0) +
    (text.includes(word) ? 1 : 0)
  );
}
