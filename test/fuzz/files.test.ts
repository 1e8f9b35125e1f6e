import { FILES } from '../readers/files.ts'
import { fuzz } from './fuzz.ts'

fuzz('a file', FILES)
