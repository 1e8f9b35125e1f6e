/** Providers with different names in the conventions. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ['amazon-bedrock', 'aws.bedrock'],
  ['bedrock', 'aws.bedrock'],
  ['azure', 'azure.ai.openai'],
  ['google', 'gcp.gemini'],
  ['google-vertex', 'gcp.vertex_ai'],
  ['vertex', 'gcp.vertex_ai'],
  ['mistral', 'mistral_ai'],
  ['moonshotai', 'moonshot_ai'],
  ['xai', 'x_ai'],
])

/** Splits `provider/model` into the two names of the conventions. */
export function modelNames(id: string): { readonly provider: string; readonly model: string } {
  const slash = id.indexOf('/')
  if (slash < 0) return { provider: '_OTHER', model: id }
  const key = id.slice(0, slash)
  return { provider: PROVIDERS.get(key) ?? key, model: id.slice(slash + 1) }
}
