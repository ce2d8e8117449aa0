import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../lib/steps.mjs'

/** The declared structure of the repository; `boundaries.mjs` checks the source against it. */

const LIST = readFileSync(join(ROOT, 'apps/server/src/modules/index.ts'), 'utf8')

/** The server's capabilities from bottom to top: each imports only those before it. */
export const CAPABILITIES = [...LIST.match(/CAPABILITIES = \[([^\]]*)\]/)[1].matchAll(/\w+/g)].map(
  ([name]) => name,
)

/** Imports that point up, as [importing capability, imported capability, reason]. At most five. */
export const ARROWS_UP = [
  [
    'exchange',
    'settlement',
    'The dividends of the last 30 settled days need the last settled day, which only settlement stores.',
  ],
]

/** Files that read the tables of other owners. */
export const READERS = [
  // Reads whether the database is marked as a simulation.
  /^apps\/server\/src\/db\/clock-watch\.ts$/,
  /\/modules\/(desk|files\/person)\//,
  /\/modules\/.*\/audit\.ts$/,
  /^apps\/server\/src\/signer\/reading\.ts$/,
]

/** The files that may read from one node alone (`untrustedClient`), with what a false answer does there. */
export const READERS_OF_ONE_NODE = [
  ['apps/server/src/chain/nodes/nodes.ts', 'Creates the access.'],
  ['apps/server/src/chain/client.ts', 'Hands it on.'],
  ['apps/server/src/modules/overview/index.ts', 'Hands it on to the transactions.'],
  ['apps/server/src/simulate/simulated-chain.ts', 'Has no node.'],
  [
    'apps/server/src/chain/raw-tx.ts',
    'A false allowance gives a needless approval, or none and a reverted payment.',
  ],
  [
    'apps/server/src/modules/overview/transactions/transactions.service.ts',
    'Shows a member the own transactions.',
  ],
  ['apps/server/src/modules/leaving/local-wallet/follower.ts', 'Shows a member the own sends.'],
  ['apps/server/src/modules/leaving/local-wallet/chain.ts', 'Shows a member the own sends.'],
  [
    'apps/server/src/modules/trust/solvency/solvency.publishing.service.ts',
    'Nonce, gas and sending of a publication.',
  ],
  ['apps/server/src/local/demo/team.ts', 'The local chain of the demonstration.'],
  ['apps/server/src/local/demo/pay-in.ts', 'The local chain of the demonstration.'],
  ['apps/server/src/local/demo/history/operator-events.ts', 'The local chain of the demonstration.'],
]

const CAPABILITY = /^apps\/server\/src\/modules\/([\w-]+)\//
const FEATURE = /^apps\/web\/src\/features\/([\w-]+)\//
const sameRoom = (room) => (target, path) => room.exec(target)[1] === room.exec(path)[1]

/** Refused imports: those that files `in` a place may not have, unless `except` allows them. */
export const FORBIDDEN_IMPORTS = [
  {
    in: /^packages\/rules\//,
    imports: /^(?!packages\/rules\/src\/)/,
    because: 'The rules import nothing but each other.',
  },
  {
    in: /^packages\/solvency\//,
    imports: /^(?!packages\/solvency\/src\/)/,
    because: 'The format of a proof imports nothing, so that server, browser and verifier share it.',
  },
  {
    in: /^packages\/api-schema\//,
    imports: /^(?!packages\/api-schema\/src\/|zod$)/,
    because: 'The API schema imports only Zod.',
  },
  {
    in: /^apps\/server\//,
    imports: /^(apps\/web\/|@rif\/web)/,
    because: 'The server does not import the web app.',
  },
  {
    in: CAPABILITY,
    imports:
      /^apps\/server\/src\/modules\/[\w-]+\/(?!([\w-]+\/)*([\w.-]+\.(service|relations)|index)\.ts$|ledger\/(accounts|audit)\.ts$)/,
    except: sameRoom(CAPABILITY),
    because: 'Another capability is reached only through its services or its relations.',
  },
  {
    in: /^apps\/server\/src\/(plugins|db|lib|chain|alarms|jobs)\//,
    imports: /^apps\/server\/src\/(modules|services|app)/,
    because: 'Plugins, the database and the chain know no capability.',
  },
  {
    in: /^apps\/server\/.*\.(routes|worker)\.ts$/,
    imports: /\.repository\.ts$|^(kysely|pg)$/,
    because: 'Routes and workers call services; only services reach the database.',
  },
  {
    in: /^apps\/server\/.*\.repository\.ts$/,
    imports: /\.(service|routes|worker)\.ts$/,
    because: 'A repository is below the services.',
  },
  {
    // `rif deploy` sends transactions with a key that holds no role and belongs to no process of the product.
    in: /^apps\/server\/src\/(?!signer\/|local\/|cli\/deploy\.ts$)/,
    imports: /^(viem\/accounts|koffi|ox(\/(?!Bloom$).*)?|@noble\/.*)$/,
    because: 'Only the signer handles private keys.',
  },
  {
    in: /^apps\/server\/src\/(?!signer\/|cli\/sign\.ts$)/,
    imports: /^apps\/server\/src\/signer\/(?!(client|protocol)\.ts$)/,
    because: 'Other processes reach the signer only through its client.',
  },
  {
    in: /^apps\/server\/src\/signer\/(client|protocol)\.ts$/,
    imports: /^apps\/server\/src\/signer\/(?!protocol\.ts$)/,
    because: "The signer's client has nothing of the signer itself.",
  },
  {
    in: /^apps\/server\/src\/signer\//,
    imports: /^apps\/server\/src\/(modules|plugins|services|app)/,
    because: 'The signer judges by itself.',
  },
  {
    in: /^apps\/web\//,
    imports: /^(apps\/server\/|@rif\/server|@rif\/contracts\/bytecode|node:)/,
    because: 'The web app does not import the server.',
  },
  { in: /^apps\/web\/src\/features\//, imports: /^apps\/web\/src\/app\//, because: 'app is above features.' },
  {
    in: FEATURE,
    imports: FEATURE,
    except: sameRoom(FEATURE),
    because: 'No feature imports another feature.',
  },
  {
    in: /^apps\/web\/src\/wallet\//,
    imports: /^apps\/web\/src\/(app|features)\//,
    because: 'wallet is below app and features.',
  },
  {
    in: /^apps\/web\/src\/ui\//,
    imports: /^apps\/web\/src\/(app|features|wallet)\//,
    because: 'ui has no product knowledge: it imports only lib.',
  },
  {
    in: /^apps\/web\/src\/lib\//,
    imports: /^apps\/web\/src\/(app|features|wallet|ui)\//,
    because: 'lib is below everything else of the web app.',
  },
]
