// `npm run build`: builds what is missing or has changed.
import { prepare } from './lib/prepare.mjs'
import { main } from './lib/runtime.mjs'

await main(prepare)
