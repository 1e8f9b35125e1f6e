/** A line of a text file: a label, a tab, and what a customer said. */
export interface LabeledLine {
  readonly number: number
  readonly label: string
  readonly text: string
}

/** The lines of a text. Empty ones, and comments that begin with `#`, are left out; a part may be empty. */
export const labeledLines = (text: string): readonly LabeledLine[] =>
  text
    .split(/\r?\n/)
    .map((line, index) => {
      const [label = '', ...rest] = line.split('\t')
      return { number: index + 1, label: label.trim(), text: rest.join(' ').trim() }
    })
    .filter(({ label, text: said }) => (label !== '' || said !== '') && !label.startsWith('#'))
