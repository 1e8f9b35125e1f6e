/** Example questions that each tool lets an offline model answer. */
const EXAMPLES: Readonly<Record<string, string>> = {
  calculator: 'What is 15 * 23?',
  calendar: 'What date is 45 days after March 3, 2026?',
  data_fetch_stock: 'Show me the last 30 days closing price for AAPL',
}

const SHOWN = 2

/** Introduces the model: what it can do with these tools, and what to do for the rest. Promises nothing else. */
export function introduce(model: string, tools: ReadonlySet<string>): string {
  const examples = Object.entries(EXAMPLES).flatMap(([tool, example]) =>
    tools.has(tool) ? [`"${example}"`] : [],
  )
  const can =
    examples.length === 0
      ? 'I could read arithmetic, dates and the sample stock, but none of the tools needed for that are offered.'
      : `I read arithmetic, dates and the sample stock and hand them to tools; try ${examples.slice(0, SHOWN).join(' or ')}`
  const end = examples.length === 0 ? '' : '.'
  return (
    `I am offline/${model}, a built-in model: no key, no network, and no talent for conversation. ` +
    `${can}${end} For anything else set a key, such as OPENAI_API_KEY, and choose its model, such as openai/gpt-5-nano.`
  )
}

const GREETING =
  /^(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening|day))(?: there| again)?[\s!.,]*$/i
const THANKS = /^(?:many )?(?:thanks|thank you|thx|cheers)(?: a lot| so much| very much)?[\s!.,]*$/i
const WHO =
  /^(?:help|who are you|what are you|what can you do|what do you do|what can i ask(?: you)?)[\s?!.]*$/i

/** An answer to small talk; undefined for anything else. */
export function pleasantry(question: string, introduction: string): string | undefined {
  if (GREETING.test(question)) return `Hello. ${introduction}`
  if (THANKS.test(question)) return 'You are welcome.'
  return WHO.test(question) ? introduction : undefined
}
