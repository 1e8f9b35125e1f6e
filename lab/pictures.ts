/** Makes the pictures of the documents: `npm run pictures`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cascadePicture } from './pictures/cascade.ts'
import { decideOutput } from './pictures/decide-output.ts'

const file = join(import.meta.dirname, '../docs/images/cascade.svg')
writeFileSync(file, cascadePicture(await decideOutput()))
