/** Words of customers who want another thing, or other contents of an order. */
const OF_CHANGES =
  /\b(?:swap\p{L}*|exchang\p{L}*|replac\p{L}*|trad(?:e|ing)|switch\p{L}*|chang(?:e|ed|ing)|add(?:ed|ing)?|remov\p{L}*|edit\p{L}*|amend\p{L}*|modif\p{L}*|sizes?|colou?rs?|models?|bigger|smaller|larger|a new one|another|different|by (?:mistake|accident)|accidentally|resend|(?:take|taken|leave|left|come) [^.!?]{0,30}\b(?:out|off)|fewer|one (?:less|more))\b/iu

/** Whether a text asks for something to be exchanged, or for another content of an order, in words of its own. */
export const isOfChanges = (text: string): boolean => OF_CHANGES.test(text)
