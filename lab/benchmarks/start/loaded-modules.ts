import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** Preloaded into a command: at its end, writes the URLs of the loaded modules. */
const file = process.env['LOADED_MODULES']
const loaded: string[] = []
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:') && url !== import.meta.url) loaded.push(url)
    return next(url, context)
  },
})
process.on('exit', () => {
  if (file !== undefined) writeFileSync(file, JSON.stringify(loaded))
})
