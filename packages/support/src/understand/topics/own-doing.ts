/** What customers did themselves, or no longer like: no trouble that the shop caused. */
const OWN_DOING =
  /\bby (?:mistake|accident)\b|\baccidentally\b|\b(?:my|own) (?:mistake|fault|bad)\b|\bi (?:(?:just|only|actually|really) )?(?:need|want|meant|wanted|needed)(?: to (?:order|buy|get))? (?:one|two|three|four|only|just|a single|the (?:other|small|big|blue|red|green|black|white|gr[ae]y)\p{L}*)\b|\bi (?:\p{L}+ )?(?:ordered|bought|clicked|picked|chose|selected|put|took) (?:too many|(?:\p{L}+ )?too (?:much|big|small)|the wrong|a wrong|one too many)\b|\bi(?:'ve| have)? changed my mind\b|\b(?:don'?t|do not|no longer) (?:like|need|want) (?:it|them|that|the)\b/iu

/** What only the shop or its carrier can have done. */
const OF_THE_SHOP =
  /\b(?:broke\p{L}*|damag\p{L}*|crack\p{L}*|missing|defect\p{L}*|fault(?:y|s)|dead|torn|leak\p{L}*|dent\p{L}*|scratch\p{L}*|late|you sent|stopped|doesn'?t work|won'?t|never (?:came|arrived)|in the box|hole|stain\p{L}*|dirty|used|smell\p{L}*)\b/iu

/** Whether a text tells of trouble that customers made themselves. */
export const isOwnDoing = (text: string): boolean => OWN_DOING.test(text) && !OF_THE_SHOP.test(text)
