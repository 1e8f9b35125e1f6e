const I = '(?:i|you|we|one)'
const GET =
  '(?:gets?|have|has|end up (?:with|at|on)|be left with|arrive at|come (?:out|up) with|finish (?:with|on))'

/** Words in front of a calculation that do not change it. */
const LEADS = [
  "please|tell me|help me|let us|let's|quickly|exactly",
  '(?:can|could|would|will) (?:you|i)',
  "i(?:'d| would)? (?:want|like|need)(?: you)? to (?:know|calculate|compute|find|work out|see|get)",
  "i(?:'d| would)? (?:want|need|like)",
  `what (?:do|does|would|will|did|should|can) ${I} ${GET}(?: (?:for|if|when|from|by|as the (?:result|answer) of))?(?: ${I})?`,
  `${I} ${GET} (?:if|when)(?: ${I})?`,
  `(?:if|when|suppose|say|by) ${I}(?: were to| was to)?|(?:if|when)(?= #)`,
  "what(?: is|'s|s| are|'re| was| does| do| would| will| did)",
  '(?:what|which) number is',
  'what(?= (?:#|\\(|-|the |half|double|twice))',
  '(?:how much|how many(?! times (?:#|does|do|will|would|can)))(?: is| are| does| do| would| will| items are| eggs are)?(?: in| there in)?',
  'calculate|compute|evaluate|solve|work out|find(?: out)?|figure out|determine|simplify|give me|give|show me|get(?: me)?',
  '(?:the )?(?:exact |final |numerical |correct )?(?:result|value|answer|outcome)(?: of| to| for| when(?: you)?| if(?: you)?)?',
].map((words) => new RegExp(`^(?:${words})(?: ?[:,] ?| )`))

const RESULT =
  '(?:result|answer|outcome|value|final (?:result|answer|number|value)|resulting number)'

/** Words behind it that do not change it. */
const TAILS = [
  '[?.= ]|(?<!#\\d+)!|(?<=\\?)!',
  '(?:,? ?please|equals?|equal(?: to)?|is|makes?|makes what|comes? to|comes? out (?:to|at|as)|amounts? to|works? out (?:to|at|as)|adds? up to|gives?|be|exactly|in total|altogether)',
  `(?:equals|is|makes|gives|comes to|is equal to) (?:what|how much)(?: number)?`,
  `[-,:;. ]*(?:and |then |so )?(?:what|which|how much|what number|which number|how many) (?:do|does|would|will|did|should) (?:${I}|it|that|this) (?:${GET}|make|give|equal|come to|leave)(?: (?:now|in the end|at the end|then|left|for an answer))*`,
  `(?<!divid.{0,200})[-,:;. ]+(?:and |then |so )?(?:what|how much|how many) (?:is|are|remains?|will be|would be)(?: (?:left|left over|remaining))?`,
  `[-,:;. ]*(?:and |then |so )?(?:what|how much)(?: is|'s|s| will be| would be) (?:(?:the|my|your) )?(?:${RESULT}|that|it|this)(?: be)?(?: now| in the end| at the end| then)?`,
].map((words) => new RegExp(`(?:^|(?<![a-z])|(?=[-,:;.?!= ]))(?:${words})$`))

/** Limit on removals; questions hold fewer courtesies. */
const MAX_REMOVALS = 12

/** The question without "please tell me what … is?" around it. */
export function bareQuestion(text: string): string {
  let bare = text.trim()
  for (let count = 0; count < MAX_REMOVALS; count++) {
    const led = LEADS.reduce((rest, lead) => rest.replace(lead, ''), bare)
    const tailed = TAILS.reduce((rest, tail) => rest.replace(tail, '').trimEnd(), led)
    if (tailed === bare) break
    bare = tailed
  }
  return bare
}
