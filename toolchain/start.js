// Runs the command of a clone for `npm start`. JavaScript, since TypeScript is slow to load before the cache is on.
// `npm start` alone serves, as does `npm start -- --port 3001`; the command alone prints its help.
if (['--host', '--port', undefined].includes(process.argv[2])) process.argv.splice(2, 0, 'serve')
const SOURCE = '../cli/src/main.js'
const [major = 0] = process.versions.node.split('.').map(Number)
if (major < 24) await import(SOURCE)
else {
  const { enableCompileCache } = await import('node:module')
  enableCompileCache(`${import.meta.dirname}/../node_modules/.cache/compiled`)
  if (process.argv[2] === 'serve') (await import('./studio-page.ts')).studioPage()
  const { commandBundle } = await import('./bundle.ts')
  await import((await commandBundle()) ?? SOURCE)
}
