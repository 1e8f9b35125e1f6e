/** Fences code with more backticks than the code contains, so that it can be told from prose. */
export function codeBlock(code: string, language = ''): string {
  const longest = [...code.matchAll(/^ *(`{3,})/gm)].map(([, ticks = '']) => ticks.length)
  const fence = '`'.repeat(Math.max(2, ...longest.slice(0, 1000)) + 1)
  return code.trim() === '' ? '' : `${fence}${language}\n${code.replace(/\s+$/, '')}\n${fence}`
}
