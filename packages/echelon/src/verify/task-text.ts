import { framed } from '../core/message/untrusted-text.ts'
import type { VerifiedTask, Wanted } from './answer.ts'

/**
 * A task in words, for the prompt of another model: the conversation so far, the texts to answer from, the day and
 * the question. The texts stand between delimiters that mark them as data.
 */
export function taskText({ question, earlier = [], sources = [], today }: VerifiedTask): string {
  return [
    ...(earlier.length > 0 ? [`The conversation so far:\n${earlier.join('\n')}`] : []),
    ...sources.map(({ name, text }) => framed(text, name)),
    ...(today === undefined ? [] : [`Today is ${today}.`]),
    question,
  ].join('\n\n')
}

/** Instruction for the last line of an answer, so that it can be compared; empty where any words will do. */
export function lastLine(wanted: Wanted): string {
  switch (wanted.kind) {
    case 'number':
      return 'End with a line "Answer: " and the number alone.'
    case 'date':
      return 'End with a line "Answer: " and the date as YYYY-MM-DD.'
    case 'yes-no':
      return 'End with a line "Answer: " and yes or no.'
    case 'choice':
      return `End with a line "Answer: " and one of: ${wanted.choices.join('; ')}.`
    case 'json':
      return 'Answer with JSON only.'
    case 'calls':
    case 'text':
      return ''
  }
}
