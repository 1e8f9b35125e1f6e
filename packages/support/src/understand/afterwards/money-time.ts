/** A question of when money is there: "when's the money back?", "how long until I have my cash?" */
const WHEN_MONEY =
  /\b(?:when(?:'s|s)?|how (?:long|soon|fast|quick(?:ly)?|many (?:\p{L}+ )?days)|(?:by |on |until )?(?:what|which) (?:day|date|time))\b[^.!?]{0,60}\b(?:money|refund|cash|funds?|(?:my |the )?(?:card|account|bank|paypal)|reimburse(?:d|ment)?|paid back|credited|given back)\b|\b(?:money|refund|cash)\b[^.!?]{0,30}\b(?:how long|how soon|by when|when)\b\W*$/iu

/** What was, what is left of a time, and what is asked for besides. */
const OTHERWISE =
  /\b(?:when|how long)(?:'s| ago)? (?:did|was|were|have|had|has|do (?:i|we) (?:have|still))\b|\b(?:want|need|please|cancel\p{L}*|charged?|can you|could you|instead|if)\b|\d{4,}/iu

/** Whether a text asks only when the money is there. */
export const asksMoneyTime = (text: string): boolean =>
  text.length <= 160 && WHEN_MONEY.test(text) && !OTHERWISE.test(text)
