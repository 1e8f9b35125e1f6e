import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { PlanRequest } from './plan.ts'

/**
 * Finds the task in a prompt: the text between the first two `"""` lines of the last user message, or
 * all of that message without a fence. Tools are lines `- name(args)` of system messages; today's date
 * is a line `Today is 2025-09-08 …` before the task. Everything else is ignored.
 */
export function readPrompt(prompt: LanguageModelV4Prompt): PlanRequest {
  const request = prompt.findLast((message) => message.role === 'user')
  const text = request === undefined ? '' : textOf(request)
  const fenced = /^"""[^\S\n]*\n(?<task>[^]*?)\n"""[^\S\n]*$/m.exec(text)
  const before = fenced === null ? '' : text.slice(0, fenced.index)
  return {
    question: (fenced?.groups?.['task'] ?? text).trim(),
    today: /^Today is (\d{4}-\d{2}-\d{2})\b/m.exec(before)?.[1] ?? null,
    tools: new Set(prompt.flatMap(toolsOffered)),
  }
}

/** All text of a prompt; its length determines the token count. */
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
