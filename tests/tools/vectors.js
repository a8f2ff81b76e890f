// docs/vectors.json against the module of a page: what does not come out as the file says.
({ canonical, refused, events, trees, checkpoint, inclusion, consistency, proof_mode }) => {
  const { canon, read, commitment, entry, leafOf, leafHash, Tree, includes, goesOn, Register } = verifier;
  const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (two) => parseInt(two, 16));
  const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const wrong = [], is = (holds, what) => { if (!holds) wrong.push(what); };
  canonical.forEach(({ value, text }) => is(canon(value) === text, text));
  refused.forEach(({ why, hex }) => { try { read(unhex(hex)); is(false, why); } catch { /* as it must */ } });
  for (const { line, told, commitments, entry: said, leaf } of events) {
    for (const text of [line, told]) {
      const event = read(new TextEncoder().encode(`${text}\n`));
      is(entry(event) === said && hex(leafOf(event)) === leaf, text);
      for (const name in commitments) is(!Array.isArray(event[name]) || commitment(name, event[name]) === commitments[name], name);
    }
  }
  for (const { inputs, sizes } of trees) {
    const leaves = inputs?.map((one) => leafHash(unhex(one))) ?? events.map(({ leaf }) => unhex(leaf)), tree = new Tree();
    for (const { size, root, frontier, inclusion, consistency } of sizes) {
      tree.append(leaves[size - 1]);
      is(hex(tree.root) === root && tree.frontier.map(hex).join() === frontier.join(), `tree ${size}`);
      const end = { origin: "o", size, root: unhex(root) };
      inclusion.forEach((path, index) => is(includes(leaves[index], index, path.map(unhex), end), `path ${index} of ${size}`));
      inclusion.forEach((path, index) => is(!includes(leaves[index], index + 1, path.map(unhex), end), `wrong path ${index} of ${size}`));
      consistency.forEach((path, before) => {
        const old = { origin: "o", size: before + 1, root: unhex(sizes[before].root) };
        is(goesOn(old, path.map(unhex), end), `from ${before + 1} to ${size}`);
        is(!goesOn({ ...old, root: unhex("00".repeat(32)) }, path.map(unhex), end), `wrongly from ${before + 1} to ${size}`);
      });
    }
  }
  const { readCheckpoint, readInclusion, readConsistency, printCheckpoint } = verifier;
  for (const text of [checkpoint.text, checkpoint.line]) is(printCheckpoint(readCheckpoint(text).origin, readCheckpoint(text)) === checkpoint.text, text);
  const one = readInclusion(inclusion), on = readConsistency(consistency);
  is(includes(leafOf(one.event), one.index, one.path, one.checkpoint), "inclusion");
  is(goesOn({ ...on.checkpoint, size: on.old, root: unhex(trees[1].sizes[on.old - 1].root) }, on.path, on.checkpoint), "consistency");
  const { keys, log, seq, id, salt, words, draws_below_20, draws_of_1_2_3 } = proof_mode;
  const register = () => new Register(unhex(keys[1]), log, seq, id, salt), plain = register(), drawn = register();
  words.forEach((word) => is(plain.word() === BigInt(`0x${word}`), word));
  draws_below_20.forEach((draw) => is(drawn.below(20n) === BigInt(draw), "below"));
  draws_of_1_2_3.forEach((draw) => is(drawn.choose([1n, 2n, 3n]) === draw, "choose"));
  return wrong;
}
