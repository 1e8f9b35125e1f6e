/** Sentences shorter than this stand together with the next. */
const LEAST_CHARACTERS = 24
/** Of one text; the sentences of a longer one stand together. */
const MOST_SENTENCES = 16

/** The sentences of a text in order; short ones, such as "No." or a cell of a table, are joined. */
export function sentencesOf(text: string): readonly string[] {
  const least = Math.max(LEAST_CHARACTERS, Math.ceil(text.length / MOST_SENTENCES))
  const found: string[] = []
  let open = ''
  for (const { segment } of SEGMENTER.segment(text)) {
    open = `${open} ${segment.trim()}`.trim()
    if (open.length < least) continue
    found.push(open)
    open = ''
  }
  if (open !== '') found.push(`${found.pop() ?? ''} ${open}`.trim())
  return found
}

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'sentence' })
