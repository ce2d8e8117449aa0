// `npm run build`: installs and builds what is missing or has changed.
import { prepare } from './lib/prepare.mjs'
import { main } from './lib/steps.mjs'

await main(prepare)
