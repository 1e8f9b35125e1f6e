/** A part of a document that answers one kind of question. */
export interface Section {
  readonly title: string
  /** Further wordings of the question; they are searched, and not shown. */
  readonly asked: readonly string[]
  readonly text: string
  readonly source: string
}

/** Characters of a section that are said; the rest is left to the document. */
const MOST_CHARACTERS = 600

/** A comment below a heading: `<!-- asked: when do I get my money; refund time -->`. */
const ASKED = /<!--\s*asked:([^]*?)-->/giu

/**
 * The sections of a Markdown document: one for each heading with text below it.
 * @param name the document's name, for the source of an answer
 */
export function sectionsOf(markdown: string, name: string): readonly Section[] {
  const parts = markdown.replaceAll('\r\n', '\n').split(/^#{1,6}\s+/mu)
  const [before = '', ...headed] = parts
  const document = titleOf(headed[0] ?? '') || name
  const all = headed.map((part) => {
    const title = titleOf(part)
    return sectionOf(title, part.slice(part.indexOf('\n') + 1 || part.length), document)
  })
  return [sectionOf(name, before, document), ...all].filter(({ text }) => text !== '')
}

const titleOf = (part: string): string => (part.split('\n')[0] ?? '').trim()

function sectionOf(title: string, body: string, document: string): Section {
  const asked = [...body.matchAll(ASKED)].flatMap(([, questions = '']) =>
    questions.split(/[;\n]/).map((one) => one.trim()),
  )
  const text = body
    .replaceAll(/<!--[^]*?-->/g, '')
    .replaceAll(/[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/g, '')
    .replaceAll(/\[([^\]]{1,200})\]\([^)]{1,500}\)/g, '$1')
    .trim()
  const [paragraph = ''] = text.split(/\n\s*\n/)
  return {
    title,
    asked: asked.filter((one) => one !== ''),
    text: paragraph
      .replaceAll(/\s*\n\s*/g, ' ')
      .slice(0, MOST_CHARACTERS)
      .trim(),
    source: document === title ? title : `${document}: ${title}`,
  }
}
