TAGS = ["t1", "t2"]
