import { isJson, type Json } from '../core/json.ts'

/** A call's arguments as JSON; text that is none stays text, which no tool's schema accepts. */
export function toolInput(text: string): Json {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) ? value : text
  } catch {
    return text
  }
}
