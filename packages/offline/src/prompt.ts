import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { Task } from './plan.ts'

/**
 * Finds the task in a prompt: what stands between the first two `"""` lines of the last user
 * message, or all of that message if there is no fence. Tools are lines `- name(args)` of system
 * messages, today's date a line `Today is 2025-09-08 …` before the task; nothing else is looked at.
 */
export function readPrompt(prompt: LanguageModelV4Prompt): Task {
  const asked = prompt.findLast((message) => message.role === 'user')
  const text = asked === undefined ? '' : textOf(asked)
  const fenced = /^"""[^\S\n]*\n(?<task>[^]*?)\n"""[^\S\n]*$/m.exec(text)
  const before = fenced === null ? '' : text.slice(0, fenced.index)
  return {
    question: (fenced?.groups?.['task'] ?? text).trim(),
    today: /^Today is (\d{4}-\d{2}-\d{2})\b/m.exec(before)?.[1] ?? null,
    tools: new Set(prompt.flatMap(toolsOffered)),
  }
}

/** All text of a prompt, which is what it is charged by. */
export const promptText = (prompt: LanguageModelV4Prompt): string => prompt.map(textOf).join('')

function toolsOffered(message: LanguageModelV4Message): readonly string[] {
  if (message.role !== 'system') return []
  return [...message.content.matchAll(/^- ([a-zA-Z][\w-]*)\(/gm)].flatMap(([, name]) => name ?? [])
}

function textOf(message: LanguageModelV4Message): string {
  if (message.role === 'system') return message.content
  return message.content.map(partText).join('\n')
}

type Part = Exclude<LanguageModelV4Message, { role: 'system' }>['content'][number]

function partText(part: Part): string {
  if (part.type === 'text') return part.text
  if (part.type === 'tool-call') return JSON.stringify(part.input)
  return part.type === 'tool-result' ? JSON.stringify(part.output) : ''
}
