import { evaluate } from '../../src/tools/calculator/evaluate.ts'
for (const e of ['0x10','2*0x5','0b11','0o7','10x 5']) { let r: string; try { r = evaluate(e) } catch (x) { r = 'REFUSED ' + (x as Error).message }
  console.log(e.padEnd(22), r) }
