import type { Context } from 'hono'
import { isJson, isJsonObject, type JsonObject } from 'echelon/runtime'
import { HttpProblem } from './problem.ts'

/**
 * The body of a request as a JSON object. `isJson` bounds its depth; the app bounds its length.
 * @throws HttpProblem 400
 */
export async function jsonBody(c: Context): Promise<JsonObject> {
  let body: unknown
  try {
    body = await c.req.json()
  } catch {
    throw new HttpProblem(400, 'invalid_json', 'the body is not JSON')
  }
  if (!isJson(body) || !isJsonObject(body)) {
    throw new HttpProblem(400, 'invalid_input', 'send a JSON object, nested at most 64 levels deep')
  }
  return body
}
