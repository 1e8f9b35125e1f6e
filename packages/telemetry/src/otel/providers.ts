/** Providers that the conventions name otherwise than we do. */
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

/** `provider/model` as the conventions have it: two names. */
export function modelNames(id: string): { readonly provider: string; readonly model: string } {
  const slash = id.indexOf('/')
  if (slash < 0) return { provider: '_OTHER', model: id }
  const key = id.slice(0, slash)
  return { provider: PROVIDERS.get(key) ?? key, model: id.slice(slash + 1) }
}
