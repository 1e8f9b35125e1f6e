import { runProgram } from '../../cli/src/program.ts'
import { capturedIo } from '../../cli/src/testing/captured-io.ts'
import { readYesOrNo } from '../../cli/src/conversation/form.ts'
import { questionOf } from '../../cli/src/conversation/question.ts'
import { onOneLine, withFeeds } from '../../cli/src/conversation/keys.ts'
import { isCommand, runCommand } from '../../cli/src/conversation/commands.ts'
import { clean, cleanLines, cut } from '../../cli/src/terminal/clean.ts'
import { markdownText } from '../../cli/src/markdown/blocks.ts'
import { MarkdownStream } from '../../cli/src/markdown/stream.ts'
import { commaList, several } from '../../cli/src/option-values.ts'
import { readAnswer } from '../../cli/src/runs/read-answer.ts'
import { json, type Reader } from './reader.ts'

const ANSWER =
  '# Fees\n\nTen *and* `more` [here](a.md).\n\n- a\n  - b\n1. c\n\n> d\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nrun()\n```\n'
const TYPED = ['/model openai/gpt-5', '/help', 'hello \u001b[31mred\u001b[0m', 'yes', '{"a":1}']

const OPEN = [
  { type: 'call', tool: 'add', input: { a: 1 } },
  { type: 'question', question: 'Your name?', schema: { type: 'object', properties: {} } },
  { type: 'question', question: 'Your name?', schema: { type: 'string' } },
]

const face = { say: () => undefined, complain: () => undefined }
const COMMANDS = { model: { takes: 'NAME', does: 'a', run: async () => 'done' } }

/** Arguments of an unknown command: a known one would run. */
async function typedAsArguments(text: string): Promise<void> {
  const words = [`no-such-${text.slice(0, 50)}`, ...text.split(' ').slice(0, 500)]
  await runProgram(words, capturedIo())
}

/** Readers of typed, piped and pasted text, and of output. */
export const TERMINAL: readonly Reader[] = [
  {
    name: 'a line of the terminal',
    of: ['cli/src/terminal/clean.ts'],
    read: clean,
    samples: TYPED,
  },
  {
    name: 'lines of the terminal',
    of: ['cli/src/terminal/clean.ts'],
    read: cleanLines,
    samples: TYPED,
  },
  {
    name: 'a line cut to its columns',
    of: ['cli/src/terminal/clean.ts'],
    read: (text) => cut(text, 80),
    samples: TYPED,
  },
  {
    name: 'what is pasted',
    of: ['cli/src/conversation/keys.ts'],
    read: (text) => withFeeds(onOneLine(text)),
    samples: TYPED,
  },
  {
    name: 'a command that is typed',
    of: ['cli/src/conversation/commands.ts'],
    read: (text) => (isCommand(text) ? runCommand(text, COMMANDS, undefined, face) : undefined),
    samples: TYPED,
  },
  {
    name: 'a reply to a question',
    of: [
      'cli/src/conversation/question.ts',
      'cli/src/conversation/form.ts',
      'cli/src/runs/read-answer.ts',
    ],
    read: (text) => [
      readYesOrNo(text),
      OPEN.map((about) => [questionOf(about).read(text), answered(about, text)]),
    ],
    samples: ['yes', 'once', ...json({ name: 'Ada' })],
  },
  {
    name: 'Markdown for the terminal',
    of: ['cli/src/markdown/blocks.ts', 'cli/src/markdown/inline.ts', 'cli/src/markdown/table.ts'],
    read: (text) => markdownText(text, 80),
    samples: [ANSWER],
  },
  {
    name: 'Markdown for the terminal, as it comes',
    of: ['cli/src/markdown/stream.ts'],
    read: (text) => {
      const stream = new MarkdownStream(() => 80)
      for (let at = 0; at < text.length; at += 16) stream.push(text.slice(at, at + 16))
      return stream.end()
    },
    samples: [ANSWER],
  },
  {
    name: 'values of options',
    of: ['cli/src/option-values.ts'],
    read: (text) => [commaList(text), several(text)],
    samples: ['a,b', '12'],
  },
  {
    name: 'arguments of the command line',
    of: ['cli/src/program.ts'],
    read: typedAsArguments,
    samples: ['--config a.yaml --json solve', '-x=1 -- b'],
  },
]

function answered(about: (typeof OPEN)[number], text: string): unknown {
  try {
    return readAnswer({ id: 'a', about, at: 0, until: null }, text)
  } catch {
    return undefined
  }
}
