"""How right the methods are: networks with known graphs, and what each method finds in samples of them."""
