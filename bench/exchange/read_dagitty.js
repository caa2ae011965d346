// DAGitty's own parser, from the files of jupyterlab-dagitty: models in, as a JSON list of texts on standard input;
// nodes and edges out, or the message of the parser.
const fs = require("fs");
const path = require("path");
const vm = require("vm");

const folder = process.argv[2];
const modules = {};
const chunks = { push: ([, found]) => Object.assign(modules, found) };
const scope = vm.createContext({ self: { rspackChunkjupyterlab_dagitty: chunks } });
for (const file of fs.readdirSync(folder).filter((name) => /^\d+\..*\.js$/.test(name))) {
  vm.runInContext(fs.readFileSync(path.join(folder, file), "utf8"), scope);
}

const moduleWith = (pattern) => Object.keys(modules).find((id) => pattern.test(modules[id].toString()));
const underscore = moduleWith(/VERSION:/);

const loaded = {};
function load(asked) {
  const id = asked in modules ? asked : underscore; // the one package that the extension shares with others
  if (!(id in loaded)) {
    const module = { exports: {} };
    loaded[id] = module.exports;
    modules[id].call(module.exports, module, module.exports, load);
    loaded[id] = module.exports;
  }
  return loaded[id];
}
load.r = () => {};
load.d = (exports, getters) => Object.entries(getters).forEach(([name, get]) => Object.defineProperty(exports, name, { get }));
load.n = (module) => () => module;
load.g = scope;

const { GraphParser } = load(moduleWith(/parseDotStatementArray/));

function read(text) {
  try {
    const graph = GraphParser.parseDot(text);
    const edges = graph.getEdges().map((edge) => [edge.v1.id, edge.v2.id, edge.directed]);
    return { kind: graph.getType(), nodes: graph.getVertices().map((node) => node.id), edges };
  } catch (error) {
    return { error: String(error.message || error) };
  }
}

console.log(JSON.stringify(JSON.parse(fs.readFileSync(0, "utf8")).map(read)));
