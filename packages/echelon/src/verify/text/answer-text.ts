import type { Answer } from '../answer.ts'

/** The words of an answer: JSON as it is written, and of tool calls the text beside them. */
export function answerText(answer: Answer): string {
  if (answer.type === 'text') return answer.text
  return answer.type === 'json' ? JSON.stringify(answer.value) : (answer.text ?? '')
}
