/** The key of the model server, if one is set. The only thing that is read of the environment. */
export function environmentKey(): string | undefined {
  const key = process.env['ECHELON_API_KEY']?.trim()
  return key === '' ? undefined : key
}
