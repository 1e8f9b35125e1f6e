import { MOST_ANSWER_CHARACTERS } from '../../core/model/answer-length.ts'
import { isJson, type Json } from '../../core/value/json.ts'

/** Parses a call's arguments. Text that is not JSON stays text, which no tool's schema accepts; long text is cut. */
export function toolInput(text: string): Json {
  if (text.length > MOST_ANSWER_CHARACTERS) return text.slice(0, MOST_ANSWER_CHARACTERS)
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) ? value : text
  } catch {
    return text
  }
}
