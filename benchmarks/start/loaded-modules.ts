import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** Preloaded into a command: counts the modules that it loads, and writes the counts when it ends. */
const file = process.env['LOADED_MODULES']
const counts = { own: 0, packages: 0 }
registerHooks({
  load(url, context, next) {
    if (url.includes('/node_modules/')) counts.packages += 1
    else if (url.startsWith('file:') && url !== import.meta.url) counts.own += 1
    return next(url, context)
  },
})
process.on('exit', () => {
  if (file !== undefined) writeFileSync(file, JSON.stringify(counts))
})
